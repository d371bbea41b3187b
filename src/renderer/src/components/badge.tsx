import type { ReactNode } from 'react'

const tones = {
  neutral: 'border-line bg-sunken text-muted',
  ok: 'border-ok/40 text-ok',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  bad: 'border-bad/40 bg-bad-soft text-bad',
} as const

export type Tone = keyof typeof tones

/** A status in one or two words. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
