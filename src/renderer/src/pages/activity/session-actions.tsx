import { useNavigate } from '@tanstack/react-router'
import { Download, Route, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ShownSession } from '../../../../shared/requests/session-page.ts'
import { typesOf } from '../../../../shared/routers/subagent-rule.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { deleteSession, exportSession, pinSession } from '../../stores/sessions.ts'

import { MakeRuleDialog } from './make-rule-dialog.tsx'

/** An empty value would show the placeholder. */
const byRouter = 'router'

/** Pins a model to the session, makes a rule of its router, exports and deletes it. */
export function SessionActions({ session }: { session: ShownSession }) {
  const { id, client, pinned, pinnable, agents, requests } = session
  const routerId = requests[0]?.record.routerId ?? ''
  const [isDeleting, setIsDeleting] = useState(false)
  const [isMaking, setIsMaking] = useState(false)
  const navigate = useNavigate()
  const pin = useAction((model: string) => pinSession(id, model === byRouter ? null : model))
  const save = useAction(async () => {
    const text = await exportSession(id)
    downloadFile({ name: `session-${client}.json`, type: 'application/json', text })
  })
  const error = pin.error ?? save.error
  const models = pinned === null || pinnable.includes(pinned) ? pinnable : [...pinnable, pinned]
  return (
    <div className="flex min-w-0 flex-col items-end gap-2">
      <div className="flex items-center gap-1.5">
        <Select
          label={t('Model of the session')}
          isLabelHidden
          value={pinned ?? byRouter}
          choices={[
            { value: byRouter, label: t('Model: its router chooses') },
            ...models.map((model) => ({ value: model, label: t('Pinned: {model}', { model }) })),
          ]}
          onChange={pin.run}
        />
        <ActionMenu
          entry={t('the session')}
          actions={[
            { label: t('Make a rule'), icon: Route, onSelect: () => setIsMaking(true) },
            { label: t('Export numbers'), icon: Download, onSelect: () => save.run() },
            { label: t('Delete'), icon: Trash2, onSelect: () => setIsDeleting(true) },
          ]}
        />
      </div>
      {error && <ErrorNote error={error} />}
      {isMaking && (
        <MakeRuleDialog
          routerId={routerId}
          types={typesOf(agents)}
          target={null}
          onClose={() => setIsMaking(false)}
        />
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('Delete this session?')}
          description={t(
            'Its steps and the stored texts of its requests are deleted. The requests and their cost stay in Activity, because budgets and reports count them.',
          )}
          action={t('Delete')}
          onConfirm={async () => {
            await deleteSession(id)
            await navigate({ to: '/activity', search: { view: 'sessions' } })
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </div>
  )
}
