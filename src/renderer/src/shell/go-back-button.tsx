import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { runUpdateStep } from '../stores/updates.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Restarts the app as the version before, after a question. */
export function GoBackButton({ version }: { version: string }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t('Go back to {version}', { version })}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Go back to {version}?', { version })}
          description={t(
            'Modelport restarts as {version} with the copy of its database. What was stored since then, such as requests and conversations, is kept in a file of its own and can be restored.',
            { version },
          )}
          action={t('Go back to {version}', { version })}
          isHarmless
          onConfirm={() => runUpdateStep('go_back')}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
