import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Section<Name extends string> {
  name: Name
  content: ReactNode
  /** Keeps the section mounted, so that unsaved input survives switching. */
  isKept?: boolean
}

interface SectionsProps<Name extends string> {
  sections: readonly Section<Name>[]
  shown: Name
  onShow: (name: Name) => void
}

/** The tabs of a page. */
export function Sections<Name extends string>({ sections, shown, onShow }: SectionsProps<Name>) {
  return (
    <Tabs.Root
      value={shown}
      onValueChange={(name: Name) => onShow(name)}
      className="flex flex-col gap-5"
    >
      <Tabs.List aria-label="Sections" className="flex gap-1 border-b border-line">
        {sections.map(({ name }) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="-mb-px border-b-2 border-transparent px-2.5 py-1.5 text-sm text-muted hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sections.map(({ name, content, isKept = false }) => (
        <Tabs.Panel
          key={name}
          value={name}
          keepMounted={isKept}
          tabIndex={-1}
          className="flex flex-col gap-5 data-hidden:hidden"
        >
          {content}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
