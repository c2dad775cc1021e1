/** Common English words that Spanish, German and French do not have. */
const ENGLISH =
  /(?:^|[^\p{L}\p{N}_])(?:the|of|and|with|is|are|this|from|not|your|you|which|be|it|or|for|each|to)(?=[^\p{L}\p{N}_]|$)/iu;

/** The lines of a page that have English words in what people read, but for names, code and what is said to be English. */
export const englishIn = (page: string): string[] =>
  page
    .replace(/<style>.*?<\/style>|<(\w+)[^>]* lang="en">.*?<\/\1>|<(strong|code|pre)>.*?<\/\2>/gs, '')
    .replace(/(?:aria-label|placeholder|title)="([^"]*)"/g, '> $1 <')
    .replace(/<[^>]*>/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => ENGLISH.test(line));
