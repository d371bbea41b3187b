import { expect, test } from 'vitest'
import { findRefusedFlag } from './debugging.ts'

test.each([
  '--inspect=0',
  '--inspect-brk',
  '--remote-debugging-port=9222',
  '--host-rules=MAP * evil',
])('%s is refused at any position', (flag) => {
  expect(findRefusedFlag(['/opt/modelport', 'file', flag])).toBe(flag)
})

test.each(['--no-sandbox', '--ozone-platform=wayland', 'inspect', '-r'])(
  '%s is accepted',
  (flag) => {
    expect(findRefusedFlag(['/opt/modelport', flag])).toBeNull()
  },
)
