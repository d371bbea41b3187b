import { expect, test } from 'vitest'
import { autostartEntry, readAutostart } from './autostart-file.ts'

const command = ['/opt/Modelport/modelport']

test('without an entry the app does not launch at login', () => {
  expect(readAutostart(null)).toEqual({ launchesAtLogin: false, startsHidden: false })
})

test.each([true, false])('an entry reads as it was written: hidden %s', (startsHidden) => {
  expect(readAutostart(autostartEntry(command, startsHidden))).toEqual({
    launchesAtLogin: true,
    startsHidden,
  })
})

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false', 'Hidden = true'])(
  'an entry that the desktop turned off is off: %s',
  (line) => {
    const entry = `[Desktop Entry]\nExec=/opt/Modelport/modelport --hidden\n${line}\n`

    expect(readAutostart(entry)).toEqual({ launchesAtLogin: false, startsHidden: true })
  },
)

test('the command is quoted as the Desktop Entry Specification says', () => {
  const entry = autostartEntry(['/home/a b/$x/100%/app', 'C:\\x y'], false)

  expect(entry).toContain(String.raw`Exec="/home/a b/\\$x/100%%/app" "C:\\\\x y"`)
})
