import type { PreviousVersion } from '../../../shared/app/updates.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { useAction } from '../components/use-action.ts'
import { runUpdateStep } from '../stores/updates.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Returns to the version before, which the user installs; hidden where its copy of the database is gone. */
export function WayBack({ previous }: { previous: PreviousVersion }) {
  const { version, hasCopy, isChosen } = previous
  const { run, isRunning, error } = useAction(() => runUpdateStep(isChosen ? 'stay' : 'go_back'))
  if (version === null || !hasCopy) return null
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="status" className="text-sm text-muted">
        {isChosen
          ? t(
              'Quit Modelport and install {version} the way you installed this version. At its first start it uses the copy, and keeps this version’s database in a file of its own.',
              { version },
            )
          : t('You can go back to {version}, which then starts with the copy.', { version })}
      </p>
      <Button disabled={isRunning} onClick={() => run()}>
        {isChosen ? t('Stay with this version') : t('Go back to {version}', { version })}
      </Button>
      {error && <ErrorNote error={error} />}
    </div>
  )
}
