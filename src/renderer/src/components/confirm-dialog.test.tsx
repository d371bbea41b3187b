import { AlertDialog } from '@base-ui/react/alert-dialog'
import { createRef } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConfirmButtons } from './confirm-dialog.tsx'

/** The buttons of the dialog with whether they can be clicked. */
function buttonsWhile({ isRunning }: { isRunning: boolean }) {
  const markup = renderToStaticMarkup(
    <AlertDialog.Root open>
      <ConfirmButtons
        cancel={createRef()}
        action={isRunning ? 'Deleting…' : 'Delete'}
        look="danger"
        isRunning={isRunning}
        onConfirm={() => {}}
      />
    </AlertDialog.Root>,
  )
  const buttons = [...markup.matchAll(/<button([^>]*)>([^<]*)</g)]
  return buttons.map(([, attributes = '', text]) => [text, !/ disabled=""/.test(attributes)])
}

test('a question can be confirmed and cancelled', () => {
  expect(buttonsWhile({ isRunning: false })).toEqual([
    ['Cancel', true],
    ['Delete', true],
  ])
})

test('while the action runs, neither button can be clicked', () => {
  expect(buttonsWhile({ isRunning: true })).toEqual([
    ['Cancel', false],
    ['Deleting…', false],
  ])
})
