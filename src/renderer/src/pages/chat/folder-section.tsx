import { ChevronRight, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Folder } from '../../../../shared/chat/conversations.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { beginInFolder, removeFolder } from '../../stores/folders.ts'
import { FolderDialog } from './folder-dialogs.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface FolderSectionProps {
  folder: Folder
  count: number
  /** Whether the open conversation is in it. */
  hasCurrent: boolean
  /** Called when a new conversation in it was opened. */
  onOpened?: (() => void) | undefined
  children: ReactNode
}

/** A folder in the list, which a click opens and closes. */
export function FolderSection(props: FolderSectionProps) {
  const { folder, count, hasCurrent, onOpened, children } = props
  const [isOpen, setIsOpen] = useState(hasCurrent)
  const [hadCurrent, setHadCurrent] = useState(hasCurrent)
  const [isEditing, setIsEditing] = useState(false)
  const remove = useAction(() => removeFolder(folder))
  if (hasCurrent !== hadCurrent) {
    setHadCurrent(hasCurrent)
    if (hasCurrent) setIsOpen(true)
  }
  return (
    <li>
      <div className="flex items-center rounded-md pr-1 hover:bg-hover">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-md px-2 py-1.5 text-left text-sm"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={`shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
          />
          <span className="min-w-0 truncate">{folder.name}</span>
          <span className="text-xs text-muted tabular-nums">{count}</span>
        </button>
        <ActionMenu
          entry={folder.name}
          actions={[
            {
              label: t('New conversation'),
              icon: Plus,
              onSelect: () => {
                beginInFolder(folder)
                onOpened?.()
              },
            },
            { label: t('Edit folder'), icon: Pencil, onSelect: () => setIsEditing(true) },
            { label: t('Delete folder'), icon: Trash2, onSelect: () => remove.run() },
          ]}
        />
      </div>
      {remove.error && <ErrorNote error={remove.error} />}
      {isOpen && <ul className="flex flex-col gap-0.5 pl-3">{children}</ul>}
      {isEditing && <FolderDialog folder={folder} onClose={() => setIsEditing(false)} />}
    </li>
  )
}
