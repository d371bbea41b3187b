/** Parameters of the address after `?`. All are text: `/activity?range=7d`. */
import { useCallback } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'

export type Search = Partial<Record<string, string>>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const known = Object.entries(search).filter(([, value]) => typeof value === 'string')
  const text = new URLSearchParams(known.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/** The parameters of the open page's address. */
export function useAddressSearch(): Search {
  return useSearch({ strict: false })
}

/**
 * Changes some parameters of the open page's address; undefined removes one.
 * `replace` makes no step for Back: for what changes while typing.
 */
export function useSetSearch(): (change: Search, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback(
    (change, { replace = false } = {}) =>
      void navigate({ to: '.', search: (search: Search) => ({ ...search, ...change }), replace }),
    [navigate],
  )
}
