import { FolderOpen, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { BackupCopy, BackupKind, BackupList } from '../../../../shared/app/backups.ts'
import { formatBytes, formatCount, formatDateTime } from '../../../../shared/strings/format.ts'
import { settingCards } from '../../../../shared/app/settings-sections.ts'
import type { Settings } from '../../../../shared/app/settings.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { backUpNow, removeBackup, saveCopyElsewhere, useBackups } from '../../stores/backups.ts'
import { call } from '../../stores/client.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { SettingCard } from './setting-card.tsx'
import { Setting } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Copies of the database: makes, shows, restores and deletes them. */
export function BackupsCard({ settings }: { settings: Settings }) {
  const { list, error, load } = useBackups()
  useEffect(() => void load(), [load])
  return (
    <SettingCard title={settingCards.backups}>
      <BackUp />
      <Setting name="dailyBackup" settings={settings} />
      {error && <ErrorNote error={error} onRetry={() => void load()} />}
      {!list && !error && <p className="text-sm text-muted">{t('Reading the copies…')}</p>}
      {list && <Copies list={list} isDaily={settings.dailyBackup} />}
    </SettingCard>
  )
}

function BackUp() {
  const backUp = useAction(backUpNow)
  const saveElsewhere = useAction(saveCopyElsewhere)
  const error = backUp.error ?? saveElsewhere.error
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose min-w-56 flex-1 text-sm text-muted">
          {t(
            'A copy holds routers, hashes of API keys, requests and conversations. Provider keys stay in your keychain.',
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button disabled={saveElsewhere.isRunning} onClick={() => saveElsewhere.run()}>
            {t('Save a copy elsewhere…')}
          </Button>
          <Button look="primary" disabled={backUp.isRunning} onClick={() => backUp.run()}>
            {backUp.isRunning ? t('Backing up…') : t('Back up now')}
          </Button>
        </div>
      </div>
      {error && <ErrorNote error={error} />}
    </>
  )
}

/** The dialog that restores a copy has them too. */
const optional = 'max-[64rem]:hidden'

const columns = [
  { name: t('Date') },
  { name: t('Kind') },
  { name: t('Size'), isFigure: true },
  ...[t('Routers'), t('Keys')].map((name) => ({ name, isFigure: true, className: optional })),
  { name: t('Requests'), isFigure: true },
  { name: t('Conversations'), isFigure: true, className: optional },
  { name: t('Actions'), isFigure: true },
]

const kindWords: Readonly<Record<BackupKind, string>> = {
  daily: t('Daily'),
  manual: t('Manual'),
  before_restore: t('Before a restore'),
  before_upgrade: t('Before an upgrade'),
  damaged: t('Damaged'),
}

/** The actions on a copy that ask first. */
type PendingAction = { what: 'restore' | 'remove'; copy: BackupCopy } | null

function Copies({ list: { copies, current }, isDaily }: { list: BackupList; isDaily: boolean }) {
  const [asked, setAsked] = useState<PendingAction>(null)
  const reveal = useAction((name: string) => call('backups:reveal', { name }))
  if (copies.length === 0) {
    return (
      <p className="text-sm text-muted">
        {isDaily
          ? t('No copies yet. The first daily copy is made ten minutes after the start.')
          : t('No copies yet.')}
      </p>
    )
  }
  const rows = copies.map((copy) => ({
    key: copy.name,
    cells: [
      <span key="date" className="whitespace-nowrap">
        {formatDateTime(copy.createdAtMs)}
      </span>,
      <span key="kind" className="whitespace-nowrap">
        {kindWords[copy.kind]}
      </span>,
      formatBytes(copy.bytes),
      ...(['routers', 'keys', 'requests', 'conversations'] as const).map((what) =>
        formatCount(copy.counts?.[what] ?? null),
      ),
      <CopyActions
        key="actions"
        copy={copy}
        onAsk={(what) => setAsked({ what, copy })}
        onReveal={() => reveal.run(copy.name)}
      />,
    ],
  }))
  const close = () => setAsked(null)
  return (
    <>
      {reveal.error && <ErrorNote error={reveal.error} />}
      <DataTable label={t('Copies of the database')} columns={columns} rows={rows} />
      {asked?.what === 'restore' && (
        <RestoreDialog copy={asked.copy} current={current} onClose={close} />
      )}
      {asked?.what === 'remove' && <RemoveDialog copy={asked.copy} onClose={close} />}
    </>
  )
}

interface CopyActionsProps {
  copy: BackupCopy
  onAsk: (what: 'restore' | 'remove') => void
  onReveal: () => void
}

function CopyActions({ copy, onAsk, onReveal }: CopyActionsProps) {
  const date = formatDateTime(copy.createdAtMs)
  return (
    <span className="flex items-center justify-end gap-1">
      {copy.canRestore && (
        <Button
          size="small"
          aria-label={t('Restore the copy of {date}', { date })}
          onClick={() => onAsk('restore')}
        >
          {t('Restore')}
        </Button>
      )}
      <ActionMenu
        entry={t('the copy of {date}', { date })}
        actions={[
          {
            label: t('Show in folder'),
            icon: FolderOpen,
            onSelect: onReveal,
          },
          { label: t('Delete'), icon: Trash2, onSelect: () => onAsk('remove') },
        ]}
      />
    </span>
  )
}

function RemoveDialog({ copy, onClose }: { copy: BackupCopy; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t('Delete the copy of {date}?', { date: formatDateTime(copy.createdAtMs) })}
      description={t('The file is deleted from the data folder. This cannot be undone.')}
      action={t('Delete')}
      onConfirm={() => removeBackup(copy.name)}
      onClose={onClose}
    />
  )
}
