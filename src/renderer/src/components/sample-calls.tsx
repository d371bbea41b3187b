import { Tabs } from '@base-ui/react/tabs'
import {
  placeholderKey,
  type SampleCalls,
  type Snippet as Sample,
} from '../../../shared/app/connect.ts'
import { Snippet } from './snippet.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface SampleCallsProps {
  tools: SampleCalls['tools']
  /** A key to copy in place of the placeholder. A function, so that the key is no prop. */
  readKey?: () => string
}

/** Calls to paste, one tab per tool. */
export function SampleCallTabs({ tools, readKey }: SampleCallsProps) {
  return (
    <Tabs.Root defaultValue={tools[0]?.id ?? null} className="flex min-w-0 flex-col gap-2">
      <Tabs.List
        aria-label={t('Sample calls')}
        className="flex gap-1 overflow-x-auto border-b border-line"
      >
        {tools.map(({ id, name }) => (
          <Tabs.Tab
            key={id}
            value={id}
            className="border-b-2 border-transparent px-2.5 py-1.5 text-sm whitespace-nowrap text-muted hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tools.map(({ id, name, snippets }) => (
        <Tabs.Panel key={id} value={id} tabIndex={-1} className="flex min-w-0 flex-col gap-2">
          {snippets.map((sample) => (
            <SampleCall key={sample.title} sample={sample} tool={name} readKey={readKey} />
          ))}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

interface SampleCallProps {
  sample: Sample
  tool: string
  readKey: (() => string) | undefined
}

function SampleCall({ sample: { title, text }, tool, readKey }: SampleCallProps) {
  const copied = readKey &&
    text.includes(placeholderKey) && {
      text: () => text.replaceAll(placeholderKey, readKey()),
      label: t('Copy with key'),
    }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="text-xs text-muted">{title}</h3>
      <Snippet code={text} what={`${tool}: ${title}`} copied={copied || undefined} />
    </div>
  )
}
