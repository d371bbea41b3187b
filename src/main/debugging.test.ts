import { expect, test } from 'vitest'
import { findRefusedFlag } from './debugging.ts'

test.each([
  '--inspect=0',
  '--inspect-brk',
  '--remote-debugging-port=9222',
  '--host-rules=MAP * evil',
])('%s is refused wherever it stands', (flag) => {
  expect(findRefusedFlag(['/opt/modelport', 'file', flag])).toBe(flag)
})

test.each(['--no-sandbox', '--ozone-platform=wayland', 'inspect', '-r'])(
  '%s is let through',
  (flag) => {
    expect(findRefusedFlag(['/opt/modelport', flag])).toBeNull()
  },
)
