import { expect, test } from 'vitest'
import { GrowingText } from './growing-text.ts'

test('a text is the same whatever its pieces', () => {
  const whole = Array.from({ length: 5_000 }, (_, index) => `${index} `).join('')

  for (const size of [1, 2, 7, 1_000, whole.length]) {
    const text = new GrowingText()
    for (let at = 0; at < whole.length; at += size) text.add(whole.slice(at, at + size))
    expect(text).toHaveLength(whole.length)
    expect(text.take()).toBe(whole)
    expect(text).toHaveLength(0)
    expect(text.take()).toBe('')
  }
})
