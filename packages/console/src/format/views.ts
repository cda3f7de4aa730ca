/** Whether two queries of a URL have the same parameters, in any order. */
export const isSameQuery = (one: string, other: string): boolean => inOrder(one) === inOrder(other)

function inOrder(query: string): string {
  const params = new URLSearchParams(query)
  params.sort()
  return params.toString()
}
