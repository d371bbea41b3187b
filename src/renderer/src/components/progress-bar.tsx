interface ProgressBarProps {
  /** The accessible name. */
  label: string
  value: number
  max: number
  /** The value in words. */
  text: string
}

/** A bar with its value beside it. */
export function ProgressBar({ label, value, max, text }: ProgressBarProps) {
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <progress
        aria-label={label}
        value={value}
        max={max}
        className="h-1.5 w-64 appearance-none overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
      />
      <span className="tabular-nums">{text}</span>
    </div>
  )
}
