import { expect, test } from 'bun:test'
import { labelled, mergeTexts } from './platform-metrics'

test('the lines of a metric follow one HELP and one TYPE', () => {
  const first = '# HELP a As\n# TYPE a gauge\na{service="x"} 1\n\n# HELP b Bs\n# TYPE b counter\nb{service="x"} 2\n'
  const second = '# HELP b Bs\n# TYPE b counter\nb{service="y"} 3\n\n# HELP c Cs\n# TYPE c gauge\n'
  expect(mergeTexts([first, second])).toBe(
    '# HELP a As\n# TYPE a gauge\na{service="x"} 1\n# HELP b Bs\n# TYPE b counter\nb{service="x"} 2\nb{service="y"} 3\n# HELP c Cs\n# TYPE c gauge\n',
  )
})

test('a label is added to each sample: to none, to others, before an exemplar, and beside braces in a value', () => {
  const text = [
    '# HELP a A figure',
    'a 1',
    'b{path="/x/{id} "} 2',
    'c_bucket{le="1"} 3 # {trace_id="0af7651916cd43dd8448eb211c80319c"} 0.2',
    '',
  ].join('\n')
  expect(labelled(text, 'instance="i"').split('\n')).toEqual([
    '# HELP a A figure',
    'a{instance="i"} 1',
    'b{path="/x/{id} ",instance="i"} 2',
    'c_bucket{le="1",instance="i"} 3 # {trace_id="0af7651916cd43dd8448eb211c80319c"} 0.2',
    '',
  ])
  expect(labelled(text, '')).toBe(text)
})
