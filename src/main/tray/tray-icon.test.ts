import { expect, test } from 'vitest'
import { drawTrayIcon, type TrayLook } from './tray-icon.ts'

const sizePx = 20

/** The colour at a place of the logo's 20 by 20 view box. */
function pixel(look: TrayLook, x: number, y: number, isTemplate = false): number[] {
  const at = (y * sizePx + x) * 4
  return [...drawTrayIcon(look, { sizePx, isTemplate }).subarray(at, at + 4)]
}

test('the port is filled while serving and hollow while stopped', () => {
  expect(pixel('serving', 15, 10)).toEqual([138, 160, 20, 255])
  expect(pixel('stopped', 15, 10)[3]).toBe(0)
  expect(pixel('stopped', 12, 10)[3]).toBeGreaterThan(200)
})

test('a dot in the corner asks for attention', () => {
  expect(pixel('attention', 15, 15)).toEqual([40, 160, 240, 255])
  expect(pixel('serving', 15, 15)[3]).toBe(0)
})

test('a template icon has no colours, and every icon a transparent background', () => {
  expect(pixel('attention', 15, 15, true)).toEqual([0, 0, 0, 255])
  expect(pixel('serving', 0, 0)).toEqual([0, 0, 0, 0])
})
