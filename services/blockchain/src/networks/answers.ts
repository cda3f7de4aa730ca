/** The answers of the nodes that give one; rejects when none does. */
export async function answersOf<T>(questions: readonly Promise<T>[]): Promise<T[]> {
  const answers = await Promise.allSettled(questions)
  const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  return given.length > 0 ? given : await Promise.all(questions)
}
