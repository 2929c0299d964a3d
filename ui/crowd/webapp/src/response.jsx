import React from "react";
import Closing from "./closing.jsx";
import Correction from "./correction.jsx";
import { Choice, useDraft } from "./fields.jsx";
import Survey from "./survey.jsx";
import useWire from "./wire.js";

const LEFT = ["disconnect", "timeout", "returned", "expired", "partner disconnect", "mephisto disconnect"];

/* What the worker can do now. */
export default function Response({ message, onMessageSend, mephisto }) {
  const wire = useWire({ message, onMessageSend, mephisto });
  const [handedIn, setHandedIn] = React.useState(false);
  if (!message) {
    return <div className="response">Preparing the question. Please wait a moment.</div>;
  }
  const card = message.task_data.card;
  if (card.phase !== "closing" && LEFT.includes(mephisto.agentStatus)) {
    return <Left />;
  }
  const forms = { judge: Judge, comment: Comment, survey: Survey, closing: Closing };
  const Form = forms[card.phase];
  return (
    <div className="response">
      {wire.away && !handedIn ? <Away /> : null}
      {wire.busy ? (
        <p className="busy" role="status">
          Working on it. This may take some seconds.
        </p>
      ) : null}
      <fieldset disabled={wire.busy} className="plain">
        <Form
          key={message.update_id}
          id={message.update_id}
          card={card}
          send={wire.send}
          mephisto={mephisto}
          onHandedIn={() => setHandedIn(true)}
        />
      </fieldset>
    </div>
  );
}

function Away() {
  return (
    <p className="away" role="alert">
      The connection is lost. All that the agent has answered is saved, and what you send now waits until the
      connection is back. We are trying again; if this does not go away within a minute, please reload the page and
      go on.
    </p>
  );
}

function Left() {
  return (
    <div className="response" role="alert">
      <p className="away">
        You have been away for too long, so this task was ended. What you have sent is saved.
        {window.kbqaNextTask ? "" : " Please return the task and take it again."}
      </p>
      {window.kbqaNextTask ? (
        <a className="button" href={window.kbqaNextTask()}>
          Go on
        </a>
      ) : null}
    </div>
  );
}

function Judge({ id, card, send }) {
  const [right, setRight] = useDraft(id, "right", "");
  const can = (kind) => card.kinds.includes(kind);
  const options = [
    ["accept", "Yes"],
    ["no", "No"],
    ...(can("unsure") ? [["unsure", "Not sure"]] : []),
  ];
  return (
    <React.Fragment>
      <Choice
        name="right"
        legend="Are the above sub-questions accurate in relation to the target question?"
        options={options}
        value={right}
        onChange={setRight}
        inline
      />
      {card.limit > 0 ? (
        <p className="left">
          {card.edits_left} of {card.limit} corrections left.
        </p>
      ) : null}
      {right === "no" && can("edit") ? <Correction id={id} card={card} send={send} /> : null}
      {right === "no" && !can("edit") ? (
        <button type="button" onClick={() => send({ kind: "stop" }, "No")}>
          Send
        </button>
      ) : null}
      {right === "accept" || right === "unsure" ? (
        <button type="button" onClick={() => send({ kind: right }, right === "accept" ? "Yes" : "Not sure")}>
          Send
        </button>
      ) : null}
    </React.Fragment>
  );
}

function Comment({ id, send }) {
  const [text, setText] = useDraft(id, "comment", "");
  return (
    <React.Fragment>
      <label htmlFor="comment">
        Is there anything you would like to tell us about this question, such as the right answer, or what went wrong?
        (may stay empty)
      </label>
      <textarea id="comment" rows={3} maxLength={2000} value={text} onChange={(e) => setText(e.target.value)} />
      <button type="button" onClick={() => send({ kind: "comment", text }, text.trim() || "No comment")}>
        Send
      </button>
    </React.Fragment>
  );
}
