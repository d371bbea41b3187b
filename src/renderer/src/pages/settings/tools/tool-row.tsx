import { X } from 'lucide-react'
import type { ListedTool, ToolPermission } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { Badge } from '../../../components/badge.tsx'
import { IconButton } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { markKeys, markNames } from '../../../components/tool-words.ts'
import { useAction } from '../../../components/use-action.ts'
import { changeTool } from './change-servers.ts'
import { ToolText } from './tool-text.tsx'

const permissionNames: readonly { value: ToolPermission; label: string }[] = [
  { value: 'ask', label: t('Ask') },
  { value: 'allow', label: t('Allow') },
  { value: 'deny', label: t('Deny') },
]

/** A tool, whether it may be called, and what it may do. */
export function ToolRow({ serverId, tool }: { serverId: string; tool: ListedTool }) {
  const { name, state, permission, marks, grants } = tool
  const { run, error } = useAction(changeTool)
  return (
    <li aria-label={name} className="relative flex min-w-0 flex-col gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{name}</span>
        {state === 'new' && <Badge tone="warn">{t('new, off')}</Badge>}
        {state === 'changed' && <Badge tone="warn">{t('changed, off')}</Badge>}
        <Segmented
          label={t('Permission of {name}', { name })}
          choices={permissionNames}
          value={permission}
          onChange={(chosen) => run(serverId, name, { permission: chosen })}
        />
      </div>
      <ToolText tool={tool} />
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="sr-only">{t('What {name} may do', { name })}</legend>
        {markKeys.map((key) => (
          <Checkbox
            key={key}
            label={markNames[key]}
            checked={marks[key]}
            onChange={(isMarked) => run(serverId, name, { marks: { ...marks, [key]: isMarked } })}
          />
        ))}
      </fieldset>
      {grants.length > 0 && (
        <ul aria-label={t('Where {name} may always be called', { name })} className="text-sm">
          {grants.map(({ argument, within }, at) => (
            <li key={`${argument} ${within}`} className="flex items-center gap-1">
              <span className="min-w-0 wrap-anywhere">
                {t('Always where {argument} is in {place}', { argument, place: within })}
              </span>
              <IconButton
                label={t('Remove {name}', { name: within })}
                onClick={() => run(serverId, name, { grants: grants.toSpliced(at, 1) })}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {error && <ErrorNote error={error} />}
    </li>
  )
}
