import { useState } from 'react'
import type { EnteredServer, ListedServer } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { TextArea } from '../../../components/text-area.tsx'
import { commandText } from '../../../components/tool-words.ts'
import { useAction } from '../../../components/use-action.ts'
import { Form } from '../../../components/form.tsx'
import { addServers, readServers } from './change-servers.ts'

interface AddServersDialogProps {
  /** Called with the first server that was added. */
  onAdded: (server: ListedServer) => void
  onClose: () => void
}

const example = '{ "mcpServers": { "files": { "command": "npx", "args": ["…"] } } }'

/** Adds servers from the JSON that their pages and other programs show. Starts none. */
export function AddServersDialog({ onAdded, onClose }: AddServersDialogProps) {
  const [text, setText] = useState('')
  const [servers, setServers] = useState<readonly EnteredServer[] | null>(null)
  const read = useAction(async () => setServers(await readServers(text)))
  const add = useAction(async () => {
    const first = await addServers(servers ?? [], (added) =>
      setServers((now) => now && now.slice(added)),
    )
    if (first) onAdded(first)
  })
  const isAdding = servers !== null
  return (
    <Dialog
      title={t('Add server')}
      description={t('Nothing starts before you have seen the whole command.')}
      onClose={onClose}
      isHeld
    >
      <Form
        onSubmit={() => {
          if (isAdding) add.run()
          else read.run()
        }}
      >
        {isAdding ? (
          <ReadServers servers={servers} onChange={setServers} />
        ) : (
          <TextArea
            label={t('Configuration as JSON')}
            hint={t(
              'From the page of the server, or from the settings of Claude Desktop, Cursor, LM Studio, VS Code or Zed.',
            )}
            placeholder={example}
            spellCheck={false}
            className="font-mono text-xs"
            value={text}
            error={read.error?.message}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        {add.error && <ErrorNote error={add.error} />}
        <div className="flex justify-end gap-2">
          {isAdding && <Button onClick={() => setServers(null)}>{t('Back')}</Button>}
          <Button
            look="primary"
            type="submit"
            disabled={isAdding ? add.isRunning : read.isRunning || text.trim() === ''}
          >
            {isAdding
              ? t('{count, plural, one {Add server} other {Add # servers}}', {
                  count: servers.length,
                })
              : t('Continue')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

interface ReadServersProps {
  servers: readonly EnteredServer[]
  onChange: (servers: readonly EnteredServer[]) => void
}

/** What was read, with names that can be changed. */
function ReadServers({ servers, onChange }: ReadServersProps) {
  return (
    <ul className="flex flex-col gap-4">
      {servers.map((server, at) => (
        <li key={at} className="flex min-w-0 flex-col gap-1">
          <TextField
            label={t('Name')}
            value={server.name}
            maxLength={60}
            required
            onChange={({ target }) =>
              onChange(
                servers.map((each, index) =>
                  index === at ? { ...each, name: target.value } : each,
                ),
              )
            }
          />
          <code className="font-mono text-xs wrap-anywhere text-muted">
            {commandText(server.config, null)}
          </code>
        </li>
      ))}
    </ul>
  )
}
