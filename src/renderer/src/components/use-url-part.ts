import { useParams } from '@tanstack/react-router'

/** A named part of the page's URL; null when it is missing. The routing library types it as `any`, so it is checked. */
export function useUrlPart(name: string): string | null {
  const params: unknown = useParams({ strict: false })
  if (typeof params !== 'object' || params === null || !(name in params)) return null
  const part: unknown = Reflect.get(params, name)
  return typeof part === 'string' ? part : null
}
