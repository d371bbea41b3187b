import type { ChangeFlag } from './change-flags.ts'
import type { Frame } from './plot-frame.ts'

/** Distance in pixels within which a flag is part of the one before. */
const nearPx = 5

/** A dashed line with a flag at each change of the router's settings. */
export function ChangeMarks({ flags, frame }: { flags: readonly ChangeFlag[]; frame: Frame }) {
  const places: number[] = []
  for (const { atMs } of flags) {
    const x = Math.round(frame.xOf(atMs)) + 0.5
    if (x - (places.at(-1) ?? -Infinity) > nearPx) places.push(x)
  }
  return places.map((x) => (
    <g key={x}>
      <path
        d={`M${x} ${frame.top}v${frame.height}`}
        className="fill-none stroke-ink/60"
        strokeDasharray="3 3"
      />
      <path d={`M${x} ${frame.top}l8 4l-8 4z`} className="fill-ink" />
    </g>
  ))
}
