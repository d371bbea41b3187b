import { Tabs } from '@base-ui/react/tabs'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Copy, Download, Trash2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import type { AgentDetail } from '../../../../shared/agents/agent-window.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import {
  agentDrafts,
  beginAgent,
  newAgent,
  removeAgent,
  revertAgent,
  saveAgent,
  useAgents,
  useAgentDrafts,
} from '../../stores/agents.ts'
import { AgentGraph } from './agent-graph.tsx'
import { duplicateOf, exportAgent } from './agent-file.ts'
import { RunsPanel } from './runs-panel.tsx'
import { TestRunPanel } from './test-run-panel.tsx'
import { EditorContext, offsetOf, useEditor, useNewEditor } from './use-editor.ts'
import { VersionsPanel } from './versions-panel.tsx'
import { isPressed } from '../../../../shared/app/shortcuts.ts'
import { platform } from '../../shell/platform.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** A large library, which only this view needs. */
const SourceEditor = lazy(async () => ({
  default: (await import('./source-editor.tsx')).SourceEditor,
}))

interface AgentEditorProps {
  /** Null for a new agent. */
  detail: AgentDetail | null
  /** The saved text. */
  saved: string
  onSaved: (name: string) => void
}

/** An agent's definition as text and graph, with its runs and versions. */
export function AgentEditor({ detail, saved, onSaved }: AgentEditorProps) {
  const name = detail?.name ?? newAgent
  const text = useAgentDrafts((drafts) => drafts[name])
  const [tab, setTab] = useState('edit')
  const keep = useCallback((source: string) => agentDrafts.keep(name, source), [name])
  const editor = useNewEditor(text ?? saved, keep)
  const { run, isRunning, error } = useAction(async (source: string) => {
    const { name: kept } = await saveAgent(name, source)
    onSaved(kept)
  })
  const isChanged = detail === null || (text !== undefined && text !== saved)
  const canSave = !isRunning && isChanged && editor.issues.length === 0
  useSaveKey(() => {
    if (canSave) run(editor.source)
  })
  return (
    <EditorContext value={editor}>
      <main className="flex h-full flex-col">
        <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-5">
          <BackToAgents />
          <h1 className="min-w-0 truncate font-semibold">{detail?.name ?? t('New agent')}</h1>
          {detail && <Badge>{rich('version {version}', { version: detail.version })}</Badge>}
          <IssueBadge onOpen={() => setTab('edit')} />
          <span role="status" className="ml-auto text-xs text-muted">
            {isChanged ? t('Unsaved changes') : t('Saved')}
          </span>
          {isChanged && <DiscardButton agent={name} />}
          <Button look="primary" disabled={!canSave} onClick={() => run(editor.source)}>
            {detail ? t('Save') : t('Create agent')}
          </Button>
          <AgentActions detail={detail} />
        </header>
        {error && (
          <div className="px-5 pt-3">
            <ErrorNote error={error} />
          </div>
        )}
        <EditorTabs
          tab={tab}
          onTab={setTab}
          panels={[
            { value: 'edit', label: t('Editor'), panel: <TextAndGraph /> },
            {
              value: 'test',
              label: t('Test run'),
              panel: (
                <Scrolled>
                  <TestRunPanel agent={name} />
                </Scrolled>
              ),
            },
            ...(detail
              ? [
                  {
                    value: 'runs',
                    label: t('Runs'),
                    panel: (
                      <Scrolled>
                        <RunsPanel agent={name} />
                      </Scrolled>
                    ),
                  },
                  {
                    value: 'versions',
                    label: t('Versions'),
                    panel: (
                      <Scrolled>
                        <VersionsPanel
                          key={detail.version}
                          detail={detail}
                          onRevert={(source) => revertAgent(name, source)}
                        />
                      </Scrolled>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </main>
    </EditorContext>
  )
}

/** Control + S, or Command + S on a Mac. */
function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressed(event, 'Mod+S', platform)) return
      event.preventDefault()
      save()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

/** Nothing for a new agent that was not changed. */
function DiscardButton({ agent }: { agent: string }) {
  const hasDraft = useAgentDrafts((drafts) => drafts[agent] !== undefined)
  if (!hasDraft) return null
  return (
    <Button look="quiet" onClick={() => agentDrafts.discard(agent)}>
      {t('Discard')}
    </Button>
  )
}

export function BackToAgents() {
  return (
    <Link to="/routers" search={{ view: 'agents' }} className={buttonClass('quiet')}>
      <ArrowLeft size={14} aria-hidden /> {t('All agents')}
    </Link>
  )
}

interface EditorTabsProps {
  tab: string
  onTab: (tab: string) => void
  panels: readonly { value: string; label: string; panel: ReactNode }[]
}

function EditorTabs({ tab, onTab, panels }: EditorTabsProps) {
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value: unknown) => onTab(String(value))}
      className="flex min-h-0 flex-1 flex-col"
    >
      <Tabs.List aria-label={t('Agent views')} className="flex gap-1 border-b border-line px-5">
        {panels.map(({ value, label }) => (
          <Tabs.Tab
            key={value}
            value={value}
            className="-mb-px border-b-2 border-transparent px-2.5 py-2 text-sm text-muted hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {panels.map(({ value, panel }) => (
        <Tabs.Panel
          key={value}
          value={value}
          tabIndex={-1}
          // The text keeps its caret and what can be undone.
          keepMounted={value === 'edit'}
          className="min-h-0 flex-1 outline-none"
        >
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

function Scrolled({ children }: { children: ReactNode }) {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-6xl px-5 py-5">{children}</div>
    </div>
  )
}

/** The text on the left, the graph on the right. */
function TextAndGraph() {
  const { draft } = useEditor()
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="min-h-0">
        <Suspense>
          <SourceEditor />
        </Suspense>
      </div>
      <aside
        aria-label={t('Graph')}
        className="flex flex-col overflow-auto border-l border-line bg-canvas p-5"
      >
        {draft && <AgentGraph draft={draft} />}
        <p className="mt-auto pt-4 text-center text-xs text-muted">
          {t('Use arrow keys to move and Enter to edit a step.')}
        </p>
      </aside>
    </div>
  )
}

/** The number of errors. A click goes to the first one. */
function IssueBadge({ onOpen }: { onOpen: () => void }) {
  const { issues, source, text } = useEditor()
  const [first] = issues
  if (!first) return null
  const at = offsetOf(first, source)
  return (
    <button
      type="button"
      className="rounded-full"
      title={first.message}
      onClick={() => {
        onOpen()
        // The text takes the focus once it is shown.
        requestAnimationFrame(() => text?.select({ from: at, to: at }, { hasFocus: true }))
      }}
    >
      <Badge tone="bad">
        {t('{count, plural, one {1 error} other {# errors}}', { count: issues.length })}
      </Badge>
    </button>
  )
}

function AgentActions({ detail }: { detail: AgentDetail | null }) {
  const { source } = useEditor()
  const navigate = useNavigate()
  const names = useAgents((state) => state.items)?.map(({ name }) => name) ?? []
  const [isRemoving, setIsRemoving] = useState(false)
  const duplicate = () => {
    beginAgent(duplicateOf(source, names))
    void navigate({ to: '/new-agent' })
  }
  return (
    <>
      <ActionMenu
        entry={detail?.name ?? t('new agent')}
        actions={[
          {
            label: t('Export'),
            icon: Download,
            onSelect: () => exportAgent(detail?.name ?? 'agent', source),
          },
          ...(detail
            ? [
                { label: t('Duplicate'), icon: Copy, onSelect: duplicate },
                { label: t('Delete'), icon: Trash2, onSelect: () => setIsRemoving(true) },
              ]
            : []),
        ]}
      />
      {isRemoving && detail && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: detail.name })}
          description={t(
            'Requests for agent:{name} will return “404 agent not found”. The costs of its runs stay in the ledger.',
            { name: detail.name },
          )}
          action={t('Delete agent')}
          onConfirm={async () => {
            await removeAgent(detail.name)
            await navigate({ to: '/routers', search: { view: 'agents' } })
          }}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </>
  )
}
