import React from "react";

/* Real radio buttons: one fieldset, one legend, reachable by keyboard. */
export function Choice({ name, legend, options, value, onChange, inline, required }) {
  return (
    <fieldset className={inline ? "choice inline" : "choice"}>
      <legend>{legend}</legend>
      {options.map(([key, label]) => (
        <label key={key}>
          <input
            type="radio"
            name={name}
            value={key}
            required={required}
            checked={String(value) === String(key)}
            onChange={() => onChange(key)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/* A state that outlives a reload: what is typed and not sent yet. */
export function useDraft(id, name, first) {
  const key = `kbqa/${id}/${name}`;
  const [value, setValue] = React.useState(() => {
    const kept = window.sessionStorage.getItem(key);
    return kept === null ? first : JSON.parse(kept);
  });
  return [
    value,
    (next) => {
      window.sessionStorage.setItem(key, JSON.stringify(next));
      setValue(next);
    },
  ];
}
