/* In the place of a crowd platform's script: a lab study, in which each participant has a link,
   /?worker_id=NAME. The tasks of a participant are numbered in `assignment_id`. */
const address = new URLSearchParams(window.location.search);

function getWorkerName() {
  return address.get("worker_id");
}

function getAssignmentId() {
  return getWorkerName() === null ? null : address.get("assignment_id") || "1";
}

function getAgentRegistration() {
  return {
    worker_name: getWorkerName(),
    agent_registration_id: getAssignmentId() + "-" + getWorkerName(),
    assignment_id: getAssignmentId(),
    provider_type: "mock",
  };
}

function handleSubmitToProvider() {
  return true;
}

/* Where the next task of this participant is. */
window.kbqaNextTask = function () {
  const next = new URLSearchParams({
    worker_id: getWorkerName(),
    assignment_id: String(Number.parseInt(getAssignmentId(), 10) + 1 || 2),
  });
  return window.location.pathname + "?" + next;
};
