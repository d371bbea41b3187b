/** Which pastes and drops give files to the message. */

const dialogs = '[role="dialog"], [role="alertdialog"]'
const editable = 'input, textarea, select, [contenteditable="true"]'

/** @param target  where it was pasted or dropped */
export function isForMessage(target: EventTarget | null): boolean {
  // A dialog covers the message.
  if (document.querySelector(dialogs) !== null) return false
  const field = target instanceof Element ? target.closest(editable) : null
  return field === null || field.matches('[data-message-field]')
}

/** @returns none when text was copied: office programs put a picture of it beside it */
export function pastedFiles(
  clipboard: Pick<DataTransfer, 'getData'> & { files: Iterable<File> },
): File[] {
  const files = [...clipboard.files]
  const text = clipboard.getData('text/plain')
  // Beside copied files, file managers put their names, or their addresses.
  const areNamed = files.every(({ name }) =>
    [name, encodeURIComponent(name)].some((form) => text.includes(form)),
  )
  return text === '' || areNamed ? files : []
}
