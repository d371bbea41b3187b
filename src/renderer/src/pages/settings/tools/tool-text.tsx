import type { ListedTool } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { claimOf } from '../../../components/tool-words.ts'

/** What a server says about a tool, in full. */
export function ToolText({ tool }: { tool: ListedTool }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 text-xs text-muted">
      <p className="wrap-anywhere whitespace-pre-wrap">
        {tool.description === '' ? t('No description.') : tool.description}
      </p>
      <p>{claimOf(tool)}</p>
      <details>
        <summary className="cursor-pointer">{t('Parameters')}</summary>
        <pre className="mt-1 max-h-60 overflow-auto rounded-lg bg-sunken p-2 font-mono">
          {JSON.stringify(tool.inputSchema, null, 2)}
        </pre>
      </details>
    </div>
  )
}
