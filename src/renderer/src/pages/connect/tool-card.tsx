import type { ConnectableTool, Door } from '../../../../shared/app/connect.ts'
import { formatDateTime } from '../../../../shared/strings/format.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { undoToolFiles } from '../../stores/connections.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

const doorNames: Record<Door, string> = {
  chat: t('Chat completions'),
  responses: t('Responses'),
  messages: t('Anthropic Messages'),
  gemini: t('Gemini'),
  mcp: t('Model Context Protocol'),
}

interface ToolCardProps {
  tool: ConnectableTool
  onConnect: (tool: ConnectableTool) => void
}

/** A tool; the whole card connects it. */
export function ToolCard({ tool, onConnect }: ToolCardProps) {
  const { name, door, verified, written } = tool
  return (
    <li className="relative flex flex-col gap-1 rounded-xl border border-line bg-surface p-3 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <div className="flex items-start justify-between gap-2">
        <button
          type="button"
          className="text-left font-medium after:absolute after:inset-0 after:rounded-xl focus-visible:outline-none"
          onClick={() => onConnect(tool)}
        >
          <span className="sr-only">{t('Connect')} </span>
          {name}
        </button>
        {verified === 'unverified' && <Badge>{t('untested')}</Badge>}
      </div>
      <p className="text-xs text-muted">{doorNames[door]}</p>
      {written && <Written tool={tool} atMs={written.atMs} files={written.files} />}
    </li>
  )
}

interface WrittenProps {
  tool: ConnectableTool
  atMs: number
  files: readonly string[]
}

function Written({ tool, atMs, files }: WrittenProps) {
  const { run, isRunning, error } = useAction(undoToolFiles)
  return (
    // Above the card's own button.
    <div className="relative z-1 mt-1 flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <span title={files.join('\n')}>
          <Badge tone="ok">{rich('connected {atMs}', { atMs: formatDateTime(atMs) })}</Badge>
        </span>
        <Button
          size="small"
          aria-label={t('Undo the connection of {name}', { name: tool.name })}
          disabled={isRunning}
          onClick={() => run(tool.id)}
        >
          {isRunning ? t('Undoing…') : t('Undo')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </div>
  )
}
