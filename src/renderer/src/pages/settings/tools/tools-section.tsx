import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ListedServer } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { Card, Skeleton } from '../../../components/page.tsx'
import { useMcpServers } from '../../../stores/mcp-servers.ts'
import { AddServersDialog } from './add-servers-dialog.tsx'
import { ConsentDialog } from './consent-dialog.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { ServerCard } from './server-card.tsx'

/** A dialog about a server. The server is read from the list, so that it is shown as it is now. */
type Open = { kind: 'add' } | { kind: 'consent' | 'review'; id: string } | null

/** The user's MCP servers and their tools. */
export function ToolsSection() {
  const { items, error, load } = useMcpServers()
  const [open, setOpen] = useState<Open>(null)
  useEffect(() => void load(), [load])
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-60 flex-1 text-sm text-muted">
          {t(
            'Models in the chat can call tools of MCP servers. A server starts only after you have seen its command, and a tool is offered only after you have seen its description. A change of either asks you again.',
          )}
        </p>
        <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
          <Plus size={14} aria-hidden /> {t('Add server')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {items === null && !error && <Skeleton>{t('Loading servers…')}</Skeleton>}
      {items?.length === 0 && (
        <Card>
          <p className="text-sm text-muted">{t('No servers yet.')}</p>
        </Card>
      )}
      {items?.map((server) => (
        <ServerCard
          key={server.id}
          server={server}
          onStart={() => setOpen({ kind: 'consent', id: server.id })}
          onReview={() => setOpen({ kind: 'review', id: server.id })}
        />
      ))}
      <ServerDialog {...{ open, setOpen }} servers={items ?? []} />
    </>
  )
}

interface ServerDialogProps {
  open: Open
  setOpen: (open: Open) => void
  servers: readonly ListedServer[]
}

function ServerDialog({ open, setOpen, servers }: ServerDialogProps) {
  const onClose = () => setOpen(null)
  if (open === null) return null
  if (open.kind === 'add') {
    return (
      <AddServersDialog onAdded={({ id }) => setOpen({ kind: 'consent', id })} onClose={onClose} />
    )
  }
  const server = servers.find(({ id }) => id === open.id)
  if (!server) return null
  if (open.kind === 'review') return <ReviewDialog {...{ server, onClose }} />

  /** After the start, the tools are what is left to look at. */
  function onStarted({ id, tools }: ListedServer): void {
    setOpen(tools.some(({ state }) => state !== 'approved') ? { kind: 'review', id } : null)
  }
  return <ConsentDialog {...{ server, onStarted, onClose }} />
}
