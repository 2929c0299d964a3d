import React from "react";

/* The agent's understanding: sub-questions with their answers. */
export default function Card({ card, latest }) {
  if (!latest) {
    return card.steps.length ? (
      <details className="card earlier">
        <summary>What the agent had understood before ({card.version})</summary>
        <Steps card={card} />
      </details>
    ) : null;
  }
  return (
    <section className="card latest" aria-live="polite">
      {card.notice ? (
        <p className="notice" role="status">
          {card.notice}
        </p>
      ) : null}
      {card.steps.length ? (
        <React.Fragment>
          <h2>How the agent understood the question</h2>
          <Steps card={card} />
        </React.Fragment>
      ) : null}
    </section>
  );
}

function Steps({ card }) {
  return (
    <ol>
      {card.steps.map((step) => (
        <li key={step.id} className={step.change === "new" ? "changed" : ""}>
          <span className="sub-question">{step.text}</span>
          <span className="answers">{answers(step)}</span>
        </li>
      ))}
    </ol>
  );
}

function answers(step) {
  if (!step.answers.length) {
    return "no answer";
  }
  const more = step.count - step.answers.length;
  return step.answers.join("; ") + (more > 0 ? ` and ${more} more` : "");
}
