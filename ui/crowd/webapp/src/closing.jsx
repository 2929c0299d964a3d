import React from "react";
import { postCompleteTask } from "mephisto-task";

/* The end: everything is saved, and the task is handed in. */
export default function Closing({ card, mephisto, onHandedIn }) {
  const [state, setState] = React.useState("open");

  function finish() {
    setState("going");
    postCompleteTask(mephisto.agentId, {})
      .then(() => {
        onHandedIn();
        mephisto.destroy();
        setState("done");
      })
      .catch(() => setState("failed"));
  }
  if (state === "done") {
    return (
      <div role="status">
        <p id="handed-in">Handed in. Thank you.</p>
        {window.kbqaNextTask ? (
          <a className="button" href={window.kbqaNextTask()}>
            Next question
          </a>
        ) : null}
      </div>
    );
  }
  return (
    <React.Fragment>
      <p>{card.broke ? "" : "Your work is saved. "}Please hand it in:</p>
      {state === "failed" ? (
        <p className="away" role="alert">
          It could not be handed in just now. Your work is saved; please try again in a moment.
        </p>
      ) : null}
      <button type="button" id="finish" disabled={state === "going"} onClick={finish}>
        Finish
      </button>
    </React.Fragment>
  );
}
