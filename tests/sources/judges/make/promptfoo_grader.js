// A judge of recorded verdicts: an error on the seventh answer, no verdict on the eighth.
module.exports = class {
  id() {
    return 'recorded';
  }
  async callApi(prompt) {
    const i = Number((prompt.match(/Answer (\d+)/) || [0, 0])[1]);
    if (i === 6) return { error: 'refused to grade' };
    if (i === 7) return { output: 'no verdict' };
    const pass = (i * 7) % 3 !== 0;
    return { output: JSON.stringify({ reason: 'recorded', pass, score: pass ? 0.9 : 0.2 }) };
  }
};
