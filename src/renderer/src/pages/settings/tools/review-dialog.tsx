import { useState } from 'react'
import type { ListedServer, ToolMarks } from '../../../../../shared/chat/tools.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { markKeys, markNames } from '../../../components/tool-words.ts'
import { useAction } from '../../../components/use-action.ts'
import { approveTools } from './change-servers.ts'
import { ToolText } from './tool-text.tsx'

const allMarks: ToolMarks = { readsPrivate: true, readsForeign: true, sendsOut: true }

/** Shows tools that are new or have changed, in full. Those that the user approves are offered to models. */
export function ReviewDialog({ server, onClose }: { server: ListedServer; onClose: () => void }) {
  // Only what was shown is approved: a change meanwhile has another seal, which is refused.
  const [tools] = useState(() => server.tools.filter(({ state }) => state !== 'approved'))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [marks, setMarks] = useState(allMarks)
  const chosen = tools.filter(({ name }) => !left.has(name))
  const { run, isRunning, error } = useAction(async () => {
    await approveTools(server.id, chosen, marks)
    onClose()
  })
  const toggle = (name: string, isChosen: boolean) =>
    setLeft(new Set(isChosen ? [...left].filter((other) => other !== name) : [...left, name]))
  return (
    <Dialog
      title={t('Tools of “{name}”', { name: server.name })}
      description={t(
        'Models read these descriptions. Approve a tool only if its description says what you expect.',
      )}
      onClose={onClose}
      isHeld
      isWide
    >
      <ul className="flex max-h-[45vh] min-h-24 flex-col divide-y divide-line overflow-y-auto border-y border-line">
        {tools.map((tool) => (
          <li key={tool.name} className="flex flex-col gap-1 py-2.5 pr-2">
            <span className="flex flex-wrap items-center gap-2">
              <Checkbox
                label={tool.name}
                checked={!left.has(tool.name)}
                onChange={(isChosen) => toggle(tool.name, isChosen)}
              />
              {tool.state === 'changed' && <Badge tone="warn">{t('changed')}</Badge>}
            </span>
            <div className="pl-[1.3rem]">
              <ToolText tool={tool} />
            </div>
          </li>
        ))}
      </ul>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-sm font-medium">{t('What these tools may do')}</legend>
        {markKeys.map((key) => (
          <Checkbox
            key={key}
            label={markNames[key]}
            checked={marks[key]}
            onChange={(isMarked) => setMarks({ ...marks, [key]: isMarked })}
          />
        ))}
        <p className="text-xs text-muted">
          {t(
            'Once a conversation has read private data and text of others, tools that send data out ask each time. You can change this for each tool.',
          )}
        </p>
      </fieldset>
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Later')}</Button>
        <Button look="primary" disabled={isRunning || chosen.length === 0} onClick={() => run()}>
          {t('{count, plural, one {Approve # tool} other {Approve # tools}}', {
            count: chosen.length,
          })}
        </Button>
      </div>
    </Dialog>
  )
}
