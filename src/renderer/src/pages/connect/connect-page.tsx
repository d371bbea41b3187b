import { Link } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import { useEffect, useState } from 'react'
import type {
  ConnectableTool,
  ListedTool,
  ToolKind,
  UnreachableTool,
} from '../../../../shared/app/connect.ts'
import { buttonClass } from '../../components/button.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { loadConnectionProblems, useTools } from '../../stores/connections.ts'
import { useUsualRouter } from '../../stores/last-answer.ts'
import { useRouters } from '../../stores/routers.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { ConnectDialog } from './connect-dialog.tsx'
import { Programs } from './programs.tsx'
import { RefusedRecently } from './refused-recently.tsx'
import { ToolCard } from './tool-card.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const kinds: readonly { kind: ToolKind; title: string }[] = [
  { kind: 'command', title: t('Command-line tools') },
  { kind: 'app', title: t('Apps and editors') },
  { kind: 'assistant', title: t('Assistants that ask a router as a tool') },
  { kind: 'library', title: t('Libraries') },
]

/** The programs that call routers: their keys, and every tool that can be connected. */
export function ConnectPage() {
  useEffect(() => {
    void useTools.getState().load()
    void loadConnectionProblems()
  }, [])
  return (
    <Page title={t('Connect')} width="wide">
      <RefusedRecently />
      <Programs />
      <Tools />
    </Page>
  )
}

function Tools() {
  const tools = useTools()
  const routers = useRouters()
  const { router: chosenRouter } = useAddressSearch()
  const setSearch = useSetSearch()
  const [tool, setTool] = useState<ConnectableTool | null>(null)
  // A link may name a router that was deleted.
  const usual = useUsualRouter(routers.items ?? [])
  const chosen = routers.items?.find(({ id }) => id === chosenRouter) ?? usual
  const routerId = chosen?.id ?? null
  if (routers.items?.length === 0) return <NoRouter />
  return (
    <>
      <header className="mt-2 flex items-end justify-between gap-6">
        <div className="flex flex-col gap-0.5">
          <h2 className="font-semibold">{t('Connect a tool')}</h2>
          <p className="max-w-prose text-sm text-muted">
            {t(
              'Choose a tool to use one of your routers in it. Each tool gets a key of its own, which you can revoke at any time.',
            )}
          </p>
        </div>
        <div className="w-56 shrink-0">
          <Select
            label={t('Router')}
            choices={(routers.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={routerId}
            onChange={(router) => setSearch({ router }, { replace: true })}
          />
        </div>
      </header>
      <Loaded list={tools} what={t('tools')}>
        {(items) => <ToolGroups tools={items} onConnect={setTool} />}
      </Loaded>
      {tool !== null && routerId !== null && (
        <ConnectDialog tool={tool} routerId={routerId} onClose={() => setTool(null)} />
      )}
    </>
  )
}

function NoRouter() {
  return (
    <EmptyState
      icon={Cable}
      title={t('Create a router first')}
      action={
        <Link to="/routers/new" className={buttonClass('primary')}>
          {t('Create a router')}
        </Link>
      }
    >
      {t('Tools send their requests to a router, which chooses the model for each of them.')}
    </EmptyState>
  )
}

interface ToolGroupsProps {
  tools: readonly ListedTool[]
  onConnect: (tool: ConnectableTool) => void
}

function ToolGroups({ tools, onConnect }: ToolGroupsProps) {
  const connectable = tools.filter((tool): tool is ConnectableTool => tool.canConnect)
  const unreachable = tools.filter((tool): tool is UnreachableTool => !tool.canConnect)
  return (
    <>
      {kinds.map(({ kind, title }) => {
        const ofKind = connectable.filter((tool) => tool.kind === kind)
        return ofKind.length === 0 ? null : (
          <section key={kind} aria-label={title} className="flex flex-col gap-2">
            <h3 className="text-sm font-semibold">{title}</h3>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-2">
              {ofKind.map((tool) => (
                <ToolCard key={tool.id} tool={tool} onConnect={onConnect} />
              ))}
            </ul>
          </section>
        )
      })}
      {unreachable.length > 0 && <CannotConnect tools={unreachable} />}
    </>
  )
}

function CannotConnect({ tools }: { tools: readonly UnreachableTool[] }) {
  return (
    <section aria-label={t('Cannot be connected')} className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{t('Cannot be connected')}</h3>
      <ul className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4 text-sm">
        {tools.map(({ id, name, obstacle, documentation }) => (
          <li key={id}>
            <span className="font-medium">{name}.</span>{' '}
            <span className="text-muted">{obstacle}</span>{' '}
            <OutsideLink address={documentation}>{t('Documentation')}</OutsideLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
