import React from "react";
import { Choice, useDraft } from "./fields.jsx";

const OPERATIONS = [
  ["insert", "Insert a sub-question that is missing"],
  ["delete", "Delete a sub-question"],
  ["replace", "Replace a sub-question by another one"],
  ["edit", "Edit the words of a sub-question"],
];
const SAID = { insert: "Insert at", delete: "Delete", replace: "Replace", edit: "Edit" };

/* The study's way: what to do, to which step, in which words. */
export default function Correction({ id, card, send }) {
  const [kind, setKind] = useDraft(id, "kind", "");
  const [step, setStep] = useDraft(id, "step", 0);
  const [text, setText] = useDraft(id, "text", "");
  const stop = card.kinds.includes("stop") ? [["stop", "None of these helps: end here"]] : [];

  function prefill(nextKind, nextStep) {
    const found = card.steps.find((s) => s.id === nextStep);
    setText(nextKind === "edit" && found ? found.text : "");
  }
  function choose(nextKind) {
    const kept = nextKind !== "insert" && step > card.steps.length ? 0 : step;
    setKind(nextKind);
    setStep(kept);
    prefill(nextKind, kept);
  }
  function place(nextStep) {
    setStep(nextStep);
    if (kind === "edit") {
      prefill(kind, nextStep);
    }
  }

  const complete = kind === "stop" || (step > 0 && (kind === "delete" || text.trim()));
  function go() {
    if (kind === "stop") {
      send({ kind }, "No: end here");
    } else if (kind === "delete") {
      send({ kind, step }, `Delete step ${step}`);
    } else {
      send({ kind, step, text }, `${SAID[kind]} step ${step}: ${text.trim()}`);
    }
  }
  return (
    <React.Fragment>
      <Choice
        name="operation"
        legend="What should be done?"
        options={[...OPERATIONS, ...stop]}
        value={kind}
        onChange={choose}
      />
      {kind && kind !== "stop" ? (
        <Choice
          name="step"
          legend={kind === "insert" ? "Where?" : "Which sub-question?"}
          options={places(kind, card.steps)}
          value={step}
          onChange={place}
        />
      ) : null}
      {kind && kind !== "stop" && kind !== "delete" && step > 0 ? (
        <React.Fragment>
          <label htmlFor="words">The sub-question in your words</label>
          <textarea id="words" rows={2} maxLength={500} value={text} onChange={(e) => setText(e.target.value)} />
        </React.Fragment>
      ) : null}
      {kind ? (
        <button type="button" disabled={!complete} onClick={go}>
          Send
        </button>
      ) : null}
    </React.Fragment>
  );
}

function places(kind, steps) {
  if (kind !== "insert") {
    return steps.map((s) => [s.id, `${s.id}. ${s.text}`]);
  }
  return [...steps.map((s) => [s.id, `before ${s.id}. ${s.text}`]), [steps.length + 1, "at the end"]];
}
