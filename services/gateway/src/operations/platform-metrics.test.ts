import { expect, test } from 'bun:test'
import { mergeTexts } from './platform-metrics'

test('the lines of a metric follow one HELP and one TYPE', () => {
  const first = '# HELP a As\n# TYPE a gauge\na{service="x"} 1\n\n# HELP b Bs\n# TYPE b counter\nb{service="x"} 2\n'
  const second = '# HELP b Bs\n# TYPE b counter\nb{service="y"} 3\n\n# HELP c Cs\n# TYPE c gauge\n'
  expect(mergeTexts([first, second])).toBe(
    '# HELP a As\n# TYPE a gauge\na{service="x"} 1\n# HELP b Bs\n# TYPE b counter\nb{service="x"} 2\nb{service="y"} 3\n# HELP c Cs\n# TYPE c gauge\n',
  )
})
