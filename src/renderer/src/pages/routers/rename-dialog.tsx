import { useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { updateRouter } from '../../stores/routers.ts'
import { toRouterInput } from './router-texts.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Renames a router at once. Its unsaved changes stay unsaved. */
export function RenameDialog({ router, onClose }: { router: Router; onClose: () => void }) {
  const [name, setName] = useState(router.name)
  const { run, isRunning, error } = useAction(async () => {
    await updateRouter(router.id, { ...toRouterInput(router), name })
    onClose()
  })
  return (
    <Dialog title={t('Rename {name}', { name: router.name })} onClose={onClose}>
      <Form onSubmit={() => run()}>
        <TextField
          label={t('Name')}
          value={name}
          error={errorOf(error, 'name')}
          onChange={({ target }) => setName(target.value)}
        />
        {error && errorBeside(error, ['name']) && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" disabled={isRunning}>
            {t('Rename')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
