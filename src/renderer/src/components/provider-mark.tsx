const looks = [
  'bg-series-1/25',
  'bg-series-2/25',
  'bg-series-3/25',
  'bg-series-4/25',
  'bg-series-5/25',
  'bg-series-6/25',
  'bg-series-7/25',
]

/** A tile with the initials of a vendor or server. Decorative: the name stands beside it. */
export function ProviderMark({ name, size = 'size-8' }: { name: string; size?: string }) {
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-lg text-xs font-semibold text-ink ${size} ${lookOf(name)}`}
    >
      {initialsOf(name)}
    </span>
  )
}

/** `OpenRouter` is OR, `Google Gemini` is GG, and `vLLM` is V. */
export function initialsOf(name: string): string {
  const words = name.replaceAll(/\(.*?\)/g, '').split(/[\s.-]+/)
  const [first = '', second] = words.filter((word) => word !== '')
  const inner = /^[A-Z][a-z]+([A-Z])/.exec(first)?.[1]
  return `${first.charAt(0)}${inner ?? second?.charAt(0) ?? ''}`.toUpperCase()
}

function lookOf(name: string): string {
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum += (at + 1) * name.charCodeAt(at)
  return looks[sum % looks.length] ?? ''
}
