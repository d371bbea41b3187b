import { Tabs } from '@base-ui/react/tabs'
import type { Router } from '../../../../shared/entities.ts'
import type { EndpointState } from '../../../../shared/ipc.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Card } from '../../components/page.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { curlSnippet, openaiNodeSnippet, openaiPythonSnippet, routerUrl } from '../../snippets.ts'
import { useApp } from '../../stores/app.ts'

/** A router's id and address, and ready-to-run sample calls. */
export function RouterUse({ router }: { router: Router }) {
  const endpoint = useApp((state) => state.state?.endpoint)
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-semibold">Connect</h2>
      <Copyable label="Router id" what="router id" text={router.id} />
      {endpoint?.status === 'listening' ? (
        <Calls router={router} endpoint={endpoint} />
      ) : (
        <p className="text-sm text-muted">
          The address and sample calls appear here once the endpoint is running.
        </p>
      )}
    </Card>
  )
}

type Listening = Extract<EndpointState, { status: 'listening' }>

function Calls({ router, endpoint }: { router: Router; endpoint: Listening }) {
  const target = { ...endpoint, routerId: router.id }
  const snippets = [
    { label: 'curl', code: curlSnippet(target) },
    { label: 'openai for Node.js', code: openaiNodeSnippet(target) },
    { label: 'openai for Python', code: openaiPythonSnippet(target) },
  ]
  return (
    <>
      <Copyable label="Address" what="router address" text={routerUrl(target)} />
      <Tabs.Root defaultValue="curl" className="mt-1 flex flex-col gap-2">
        <Tabs.List aria-label="Sample calls" className="flex gap-1 border-b border-line">
          {snippets.map(({ label }) => (
            <Tabs.Tab
              key={label}
              value={label}
              className="-mb-px border-b-2 border-transparent px-2.5 py-1.5 text-sm text-muted hover:text-ink data-active:border-accent data-active:text-ink"
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ label, code }) => (
          <Tabs.Panel key={label} value={label} tabIndex={-1}>
            <Snippet code={code} what={`${label} call`} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <p className="text-xs text-muted">
        Set <code className="font-mono">MODELPORT_API_KEY</code> to a key from the Keys page. The
        calls use the certificate authority of this computer.
      </p>
    </>
  )
}

function Copyable({ label, what, text }: { label: string; what: string; text: string }) {
  return (
    <div className="flex items-center gap-3 text-sm">
      <span className="w-20 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 truncate font-mono text-xs">{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  )
}
