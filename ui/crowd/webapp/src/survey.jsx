import React from "react";
import { Choice, useDraft } from "./fields.jsx";

/* What is asked after a system's dialogues, in the words that came with the item. */
export default function Survey({ id, card, send }) {
  const { stage, heading, introduction, questions, remark } = card.survey;
  const [answers, setAnswers] = useDraft(id, "answers", questions.map(() => 0));
  const [text, setText] = useDraft(id, "remark", "");

  function go(event) {
    event.preventDefault();
    send({ kind: "survey", stage, answers, text }, `${heading} Answered.`);
  }
  return (
    <form className="survey" onSubmit={go}>
      <h2>{heading}</h2>
      <p>{introduction}</p>
      {questions.map((question, place) => (
        <Choice
          key={place}
          name={`question-${place + 1}`}
          legend={`${place + 1}. ${question.text}`}
          options={question.options.map((option, number) => [number + 1, option])}
          value={answers[place]}
          onChange={(value) => setAnswers(answers.map((kept, at) => (at === place ? value : kept)))}
          inline
          required
        />
      ))}
      <label htmlFor="remark">{remark}</label>
      <textarea id="remark" rows={2} maxLength={500} value={text} onChange={(e) => setText(e.target.value)} />
      <button type="submit">Send</button>
    </form>
  );
}
