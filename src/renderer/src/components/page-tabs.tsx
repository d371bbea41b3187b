import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAddressSearch } from '../usage/search.ts'

interface PageTab {
  /** Name in the address. */
  name: string
  title: ReactNode
}

interface PageTabsProps {
  /** The accessible name. */
  label: string
  /** The parameter of the address that names the open tab; the first tab is open without it. */
  parameter: string
  tabs: readonly PageTab[]
  open: string
  /** A link to another page, after the tabs. */
  elsewhere?: ReactNode
  /** Beside the tabs. */
  children?: ReactNode
}

export const tabClass =
  'flex items-center gap-1.5 border-b-2 border-transparent px-2.5 py-1.5 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-[open=true]:border-accent data-[open=true]:text-ink'

/** The parts of a page, each with an address of its own. The other parameters of the address stay. */
export function PageTabs(props: PageTabsProps) {
  const { label, parameter, tabs, open, elsewhere, children } = props
  const search = useAddressSearch()
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line">
      <nav
        aria-label={label}
        className="-mb-px flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]"
      >
        {tabs.map(({ name, title }, index) => (
          <Link
            key={name}
            to="."
            search={{ ...search, [parameter]: index === 0 ? undefined : name }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={name === open ? 'page' : undefined}
            data-open={name === open}
            className={tabClass}
          >
            {title}
          </Link>
        ))}
        {elsewhere}
      </nav>
      {children}
    </div>
  )
}

/** The open tab of `parameter`; the first one when the address names none of them. */
export function useOpenTab<Name extends string>(
  parameter: string,
  names: readonly [Name, ...Name[]],
): Name {
  const search = useAddressSearch()
  return names.find((name) => name === search[parameter]) ?? names[0]
}
