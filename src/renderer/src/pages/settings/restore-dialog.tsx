import type { BackupCopy, StorageCounts } from '../../../../shared/app/backups.ts'
import { formatCount, formatDateTime } from '../../../../shared/strings/format.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { call } from '../../stores/client.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface RestoreDialogProps {
  copy: BackupCopy
  /** Null when the database cannot be read. */
  current: StorageCounts | null
  onClose: () => void
}

const names = [
  ['routers', t('Routers')],
  ['keys', t('API keys')],
  ['requests', t('Requests')],
  ['conversations', t('Conversations')],
] as const

/** Compares a copy with the database, and restores it. The window loads again afterwards. */
export function RestoreDialog({ copy, current, onClose }: RestoreDialogProps) {
  const columns = [
    { name: t('Contents') },
    { name: t('Now'), isFigure: true },
    { name: t('In the copy'), isFigure: true },
  ]
  const rows = names.map(([what, name]) => ({
    key: what,
    cells: [name, formatCount(current?.[what] ?? null), formatCount(copy.counts?.[what] ?? null)],
  }))
  return (
    <ConfirmDialog
      title={t('Restore the copy of {date}?', { date: formatDateTime(copy.createdAtMs) })}
      description={t(
        'Modelport saves a copy of the current database first. Provider keys stay in your keychain. API keys that were revoked after this copy work again. The service restarts.',
      )}
      action={t('Restore')}
      runningAction={t('Checking the copy…')}
      isHarmless
      onConfirm={() => call('backups:restore', { name: copy.name })}
      onClose={onClose}
    >
      <DataTable label={t('The database and the copy')} columns={columns} rows={rows} />
    </ConfirmDialog>
  )
}
