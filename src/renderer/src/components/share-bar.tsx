import { formatCount, formatShare } from '../../../shared/strings/format.ts'

interface ShareBarProps {
  count: number
  all: number
  /** A CSS colour. */
  color: string
}

/** A count with its share as a bar. */
export function ShareBar({ count, all, color }: ShareBarProps) {
  const share = (count / all) * 100
  return (
    <span className="flex items-center gap-2">
      <span className="w-24 shrink-0 text-right whitespace-nowrap">
        {formatCount(count)} ({formatShare(count / all)})
      </span>
      <svg aria-hidden className="h-2.5 w-full min-w-16" preserveAspectRatio="none">
        <rect width="100%" height="100%" rx="3" className="fill-sunken" />
        <rect width={`${share}%`} height="100%" rx="3" fill={color} />
      </svg>
    </span>
  )
}
