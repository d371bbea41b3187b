import { useEffect, type ReactNode } from 'react'
import type { ConnectableTool } from '../../../../shared/app/connect.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Snippet } from '../../components/snippet.tsx'
import {
  closeConnection,
  openConnection,
  useConnection,
  type OpenConnection,
} from '../../stores/connections.ts'
import { useRouters } from '../../stores/routers.ts'
import { ConnectionStatusLine } from './connection-status.tsx'
import { PlannedFiles } from './planned-files.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ConnectDialogProps {
  tool: ConnectableTool
  routerId: string
  onClose: () => void
}

/** Shows how to use the router in the tool, until its first request arrives. */
export function ConnectDialog({ tool, routerId, onClose }: ConnectDialogProps) {
  const { connection, error } = useConnection()
  const router = useRouters((state) => state.items?.find(({ id }) => id === routerId))
  useEffect(() => {
    void openConnection({ toolId: tool.id, routerId })
    return closeConnection
  }, [tool.id, routerId])
  return (
    <Dialog
      title={t('Connect {name}', { name: tool.name })}
      description={t(
        'It will use the router {router}. Its key works once you write the file or copy it; unused, it expires after an hour.',
        {
          router: router?.name ?? routerId,
        },
      )}
      onClose={onClose}
      isHeld
      isWide
    >
      {error && <ErrorNote error={error} />}
      {connection === null && !error && (
        <p className="text-sm text-muted">{t('Reading its files…')}</p>
      )}
      {connection && <Instructions connection={connection} tool={tool} />}
      <Button className="self-end" onClick={onClose}>
        {t('Done')}
      </Button>
    </Dialog>
  )
}

function Instructions({ connection, tool }: { connection: OpenConnection; tool: ConnectableTool }) {
  const { files, notes, runCommand } = connection
  return (
    <>
      <ConnectionStatusLine />
      {files.length > 0 && <PlannedFiles files={files} tool={tool} />}
      {runCommand !== null && (
        <Section title={t('Start it from a terminal, without changing its files')}>
          <Snippet code={runCommand} what={t('command')} />
        </Section>
      )}
      {files.length > 0 ? (
        <Disclosure title={t('Set it up by hand')}>
          <ByHand connection={connection} />
        </Disclosure>
      ) : (
        <ByHand connection={connection} />
      )}
      {notes.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {tool.verified === 'unverified' && (
        <p className="text-sm text-muted">
          {rich('This follows the {outsideLink} of {name} and has not been tested with it.', {
            outsideLink: (
              <OutsideLink address={tool.documentation}>{t('documentation')}</OutsideLink>
            ),
            name: tool.name,
          })}
        </p>
      )}
    </>
  )
}

function ByHand({ connection }: { connection: OpenConnection }) {
  return (
    <>
      {connection.snippets.map(({ title, text, copy }) => (
        <Section key={title} title={title}>
          <Snippet code={text} what={title} copied={{ text: copy }} />
        </Section>
      ))}
      <Values connection={connection} />
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** The single values, for tools that are configured by hand. */
function Values({ connection }: { connection: OpenConnection }) {
  const { baseUrl, caFile, keyHint } = connection
  const values = [
    { label: t('Base URL'), what: t('base URL'), shown: baseUrl, text: baseUrl },
    { label: t('Key'), what: t('key'), shown: keyHint, text: connection.copyKey },
    { label: t('Certificate'), what: t('certificate'), shown: caFile, text: caFile },
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 text-sm">
      {values.map(({ label, what, shown, text }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="truncate font-mono text-xs" title={shown}>
            {shown}
          </dd>
          <dd>
            <CopyButton text={text} what={what} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
