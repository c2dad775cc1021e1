import type { JSX } from 'preact';

const LEVELS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Chooses the admin level that a click on the map takes, and draws a rectangle; `onDraw` is null without a map. */
export function LevelOfMap({
  label,
  level,
  onLevel,
  isDrawing,
  onDraw,
}: {
  label: string;
  level: number;
  onLevel: (level: number) => void;
  isDrawing: boolean;
  onDraw: (() => void) | null;
}): JSX.Element {
  return (
    <div class="fields">
      <label>
        {label}
        <select value={level} onChange={(event) => onLevel(Number(event.currentTarget.value))}>
          {LEVELS.map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="quiet"
        aria-pressed={isDrawing}
        disabled={onDraw === null}
        onClick={() => onDraw?.()}
      >
        {isDrawing ? 'Draw on the map…' : 'Add all in a rectangle'}
      </button>
    </div>
  );
}
