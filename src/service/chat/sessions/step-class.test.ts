import { describe, expect, test } from 'vitest'
import { classOfCommand, classOfStep, isReading, marksOf } from './step-class.ts'

const call = (name: string, input: object = {}) => ({ name, input: JSON.stringify(input) })

describe('The class of a step', () => {
  test.each([
    [true, [call('Read'), call('Bash', { command: 'cd app && git log' })]],
    [true, [call('Bash', { command: 'npm test 2>&1 | tail -5' })]],
    [false, []],
    [false, [call('Read'), call('Edit')]],
    [false, [call('Task')]],
    [false, [call('Bash', { command: 'echo 1 > a.ts && npm test' })]],
    [false, [call('Bash', { command: 'git commit -m x' })]],
  ])('only reads: %s, %j', (expected, calls) => {
    expect(isReading(calls)).toBe(expected)
  })

  test.each([
    ['text', []],
    ['explore', [call('Read'), call('Grep')]],
    ['edit', [call('Read'), call('Edit'), call('Bash', { command: 'npm test' })]],
    ['verify', [call('TodoWrite'), call('Bash', { command: 'npm test' })]],
    ['delegate', [call('Task'), call('TodoWrite')]],
    ['plan', [call('update_plan')]],
    ['edit', [call('apply_patch')]],
    ['edit', [call('mcp__files__write_file')]],
    ['edit', [call('mcp__tracker__createIssue')]],
    ['explore', [call('mcp__tracker__list_issues')]],
    ['verify', [call('exec_command', { cmd: 'cargo test' })]],
    ['verify', [call('shell', { command: ['bash', '-lc', 'pytest -q'] })]],
  ])('is %s', (expected, calls) => {
    expect(classOfStep(calls, null)).toBe(expected)
  })

  test('that only waits for another one is that of the step before', () => {
    expect(classOfStep([call('TaskOutput')], 'verify')).toBe('verify')
    expect(classOfStep([call('write_stdin')], null)).toBe('explore')
  })
})

test.each([
  ['explore', 'cd /repo && ls -la src'],
  ['explore', 'grep -rn "a > b" src | head'],
  ['explore', 'cat file.ts 2>/dev/null'],
  ['explore', 'git diff > /tmp/diff.txt'],
  ['explore', 'git log --oneline -5'],
  ['edit', "sed -i 's/a/b/' src/one.ts"],
  ['edit', 'echo "x" > notes.txt'],
  ['edit', "cat > test_it.py <<'EOF'\nimport pytest\npytest.main()\nEOF"],
  ['edit', 'git apply fix.patch'],
  ['edit', 'rm -rf build'],
  ['verify', 'cd /repo && npm run build'],
  ['verify', 'python -m pytest tests/test_one.py'],
  ['verify', 'python reproduce.py'],
  ['verify', "cat > run.py <<'EOF'\nprint(1)\nEOF\npython run.py"],
  ['verify', './run_tests.sh'],
  ['verify', 'npx tsc --noEmit'],
  ['finish', 'git add -A && git commit -m "Fix"'],
  ['finish', 'gh pr create --fill'],
])('the command is %s: %s', (expected, command) => {
  expect(classOfCommand(command)).toBe(expected)
})

test.each([
  ['3 passed in 0.1s', false, ['passed']],
  ['1 failed, 2 passed', false, ['failed']],
  ['0 failed, 2 passed', false, ['passed']],
  ['Traceback (most recent call last):', false, ['error']],
  ['Process exited with code 2\nerror TS2345: no', false, ['error', 'failed']],
  ['anything', true, ['error']],
  ['the word Error later is none', false, []],
])('marks of the result %j', (text, isError, marks) => {
  expect(marksOf(text, isError)).toEqual(marks)
})
