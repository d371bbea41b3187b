/** The colour of a series beside its name. */
export function Swatch({ color, isHatched }: { color: string; isHatched: boolean }) {
  return (
    <svg aria-hidden width="10" height="10" className="shrink-0 forced-color-adjust-none">
      <rect width="10" height="10" rx="2" style={{ fill: color }} opacity={isHatched ? 0.3 : 1} />
      {isHatched && <path d="M-2 7 7-2M1 12 12 1" style={{ stroke: color }} strokeWidth="2" />}
    </svg>
  )
}
