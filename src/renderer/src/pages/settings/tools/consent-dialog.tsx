import type { ReactNode } from 'react'
import type { ListedServer } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote, Note } from '../../../components/error-note.tsx'
import { commandText } from '../../../components/tool-words.ts'
import { useAction } from '../../../components/use-action.ts'
import { startServer } from './change-servers.ts'

interface ConsentDialogProps {
  server: ListedServer
  onStarted: (server: ListedServer) => void
  onClose: () => void
}

/** Shows what would start or be connected to, in full, and starts it if the user agrees. */
export function ConsentDialog({ server, onStarted, onClose }: ConsentDialogProps) {
  const { name, config, resolved } = server
  const { run, isRunning, error } = useAction(async () => onStarted(await startServer(server)))
  const isProgram = config.kind === 'stdio'
  return (
    <Dialog
      title={isProgram ? t('Start “{name}”?', { name }) : t('Connect to “{name}”?', { name })}
      description={
        isProgram
          ? t(
              'This program runs as you. It can read and change your files and use the network. Start it only if you trust who wrote it.',
            )
          : t(
              'This server gets what models send to its tools. Connect only if you trust who runs it.',
            )
      }
      onClose={onClose}
      isHeld
      isWide
    >
      <dl className="flex flex-col gap-3 text-sm">
        <Fact name={isProgram ? t('Command') : t('Address')}>
          <code className="block max-h-60 overflow-y-auto rounded-lg bg-sunken p-2.5 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
            {commandText(config, resolved)}
          </code>
        </Fact>
        {isProgram && <Fact name={t('Folder')}>{config.cwd ?? t('Your home folder')}</Fact>}
        {config.secretNames.length > 0 && (
          <Fact name={isProgram ? t('Variables') : t('Headers')}>
            <code className="font-mono text-xs wrap-anywhere">{config.secretNames.join(', ')}</code>
          </Fact>
        )}
      </dl>
      {resolved === null && (
        <Note kind="bad">
          {t(
            'This program is not on your computer. Install it, or delete the server and add it with another command.',
          )}
        </Note>
      )}
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button data-first-focus="" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button look="primary" disabled={isRunning || resolved === null} onClick={() => run()}>
          {isRunning ? t('Starting…') : isProgram ? t('Start') : t('Connect')}
        </Button>
      </div>
    </Dialog>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-xs font-medium text-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
