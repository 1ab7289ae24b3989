import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue';

/** A diagram of Mermaid, which only pages that have one load. */
export const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const id = useId();
    const svg = ref('');
    const draw = async () => {
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'default' });
      svg.value = (await mermaid.render(`diagram-${id}`, decodeURIComponent(props.source))).svg;
    };
    onMounted(() => watch(isDark, draw, { immediate: true }));
    return () => h('figure', { class: 'diagram', innerHTML: svg.value });
  },
});
