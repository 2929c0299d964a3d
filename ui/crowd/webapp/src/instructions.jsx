import React from "react";

export default function Instructions({ html, card }) {
  return (
    <div className="instructions">
      {card && !card.survey ? (
        <div className="target">
          <h2>Target question</h2>
          <p id="target-question">{card.question}</p>
        </div>
      ) : null}
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
